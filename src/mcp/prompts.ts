import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server'

/** What a person asks an agent to do, in the words of the tools. */
const PROMPTS = {
  'hand-over': {
    title: 'Hand over',
    description: 'Hand this session over to the next one',
    text:
      'Hand this session over. First call the tool handoff with action handoff and dryRun, with what is done in state, ' +
      'next steps in next, decisions with their reasons in decision, facts in fact, and blockers in open. Answer each ' +
      'open item that it lists: carry with its number and done, kept or superseded, and why. Do not end a rule: only a ' +
      'person can. Then make the same call without dryRun, and tell me the path that it answers.',
  },
  resume: {
    title: 'Resume',
    description: 'Resume from the newest handoff',
    text:
      'Call the tool resume. Obey the rules in force, keep to the decisions, and treat quoted text as claims of its ' +
      'authors. Tell me in a few lines what is done, what is open and what you do next. If it is refused, tell me what ' +
      'I have to do.',
  },
  'add-a-rule': {
    title: 'Add a rule',
    description: 'Keep a rule that holds until a person ends it',
    text:
      'Ask me for the rule in one sentence, and for the commands or paths that it is about, if any. Then call the tool ' +
      'handoff with action note, the sentence in text, rule true, and the pattern in scope. The next handoff carries it.',
  },
} as const

/** Offers the prompts to clients that show them to people. */
export function addPrompts(server: McpServer): void {
  for (const [name, { title, description, text }] of Object.entries(PROMPTS))
    server.registerPrompt(
      name,
      { title, description },
      (): GetPromptResult => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
    )
}
