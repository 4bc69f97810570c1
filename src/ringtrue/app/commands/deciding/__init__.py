"""Commands that help to decide: which pipeline is better, which stage to mend."""
