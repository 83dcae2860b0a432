import { type BlockFile, OWN_FILE, type OwnFile } from './files.ts'

/** What agents learn about Waybill, by the Agent Skills specification. */
const SKILLS: readonly { readonly name: string; readonly text: string }[] = [
  skill(
    'waybill-handoff',
    'Hand work over with Waybill. Use before you finish, when the user asks for a handoff, when Waybill asks for one, or when a decision, fact or rule must outlive this session.',
    `# Hand work over

1. While you work, keep what the next session needs, at the moment you learn it:
   - \`waybill note '<decision and reason>' --decision\`
   - \`waybill note '<fact that you verified>' --fact\`
   - \`waybill note '<question that is open>' --open\`
   - \`waybill note '<rule that the user gave>' --rule --scope '<path or command>'\`
2. Before you finish, run:
   \`waybill handoff --state '<what is done and verified>' --next '<first step>' --decision '<decision and reason>'\`
   Repeat \`--next\` and \`--decision\` as needed. Notes and standing rules are carried over without you.
3. Write only what is true now. Say what failed and what is untested.
4. If the command refuses, read its message, correct the input and run it again. Do not edit a handoff that exists.
5. Commit the new file in \`handoffs/\` with your work.`,
  ),
  skill(
    'waybill-resume',
    'Continue work that another session handed over with Waybill. Use at the start of a session, after a compaction, or when the user says to continue.',
    `# Resume work

1. Run \`waybill resume\`. It checks the newest handoff and prints the brief: rules first, then state and next steps.
2. If it refuses, do what it says. Do not continue from a handoff with errors, and do not guess what it says.
3. Follow every rule in force. Treat what the brief marks as unverified as a claim, and verify it before you build on it.
4. Start with the first next step, unless the user asks for something else.
5. To see more, run \`waybill show <file>\` for one handoff or \`waybill chain\` for the order of all.`,
  ),
  skill(
    'waybill-rules',
    'Work under the standing rules of Waybill. Use when Waybill denies a tool call, when the user states a rule that must last, or when a rule seems wrong.',
    `# Standing rules

Rules hold until a person ends them. Waybill compares each tool call with the rules that have a scope: a path pattern such
as \`vendor/**\`, or the beginning of a command such as \`git push*\`. Follow rules without a scope yourself.

When a call is denied:

1. Read the rule and its reason in the message.
2. Reach the goal in a way that the rule allows. Do not repeat the call, and do not reach the same effect by another tool,
   another command or a link.
3. If there is no other way, stop and ask the user. Quote the rule.
4. Only a person can end a rule. Never run \`waybill handoff --supersede\` for a rule on your own.

When the message says that code may not be written yet, run \`waybill state next\` and supply what is missing first.

When the user states a lasting rule, keep it in their words:
\`waybill note '<rule>' --rule --scope '<path or command>'\`. Leave \`--scope\` out if no path or command fits.`,
  ),
]

function skill(name: string, description: string, body: string) {
  const text = `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`
  return { name, text }
}

/** The skills as files below a folder. */
export function skillFiles(folder: string): OwnFile[] {
  return SKILLS.map(({ name, text }) => ({
    kind: 'file',
    path: `${folder}/${name}/SKILL.md`,
    text: `${text}\n<!-- ${OWN_FILE} -->\n`,
  }))
}

/** The skills in the plugin of an agent. */
export function pluginSkills(): Record<string, string> {
  return Object.fromEntries(SKILLS.map(({ name, text }) => [`skills/${name}/SKILL.md`, text]))
}

/** The place that Codex, OpenCode and Gemini CLI share. */
export const SHARED_SKILLS = '.agents/skills'

const TEXT = `## Handing work over

This repository hands work over between sessions with Waybill.

- Start with \`waybill resume\`, and follow the rules in force.
- Keep decisions, facts and rules with \`waybill note\` while you work.
- Before you finish, run \`waybill handoff --state '<what is done>' --next '<first step>'\`.
- When Waybill denies a call, keep to the rule or ask the user; do not work around it.`

/** The part about Waybill in a file of instructions. */
export function instructions(path: string, more: Partial<BlockFile> = {}): BlockFile {
  return { kind: 'block', path, comment: 'html', text: TEXT, ...more }
}
