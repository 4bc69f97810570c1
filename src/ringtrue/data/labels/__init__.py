"""People's labels from files: our own tables and the exports of annotation tools, all behind `load.load_labels`."""
