"""Small networks on this machine's processor: ONNX Runtime, no torch, no network, no key."""
