"""What HTML pages share: the template environment, escaping, and the policy that lets nothing else run."""
