/** The configuration that a repository starts with: everything it can say, all of it switched off. */
export const STARTER = `# How Waybill works in this repository. Everything here is optional; remove the first # of a line to use it.
# The whole of what can be said: waybill schema config

# Files to pass over while walking folders, written as in .gitignore.
#ignore:
#  - vendor/

# Where the agents are described, if not in the nearest prompt-manifest.json and prompt-lock.json.
#agents:
#  manifest: prompts/prompt-manifest.json
#  lock: prompts/prompt-lock.json

# Rules that weigh something else here: off, info, warning or error, each with the reason.
# Rules about secrets, hashes, replay and signatures cannot be changed.
#rules:
#  handoff-document/three-to-five-next-steps:
#    severity: info
#    reason: our handoffs list every open step
`
