//! What Terraform core does around a provider's answers: the proposed new state it sends, and the rules it holds every
//! answer to. The embedded hosts (the Pulumi door, `denobridge try`, the test kit) do the same.
