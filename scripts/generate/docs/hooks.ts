import {
  ADAPTERS,
  type Adapter,
  type AgentFile,
  type HookKind,
  installOf,
} from '../../../src/hooks/index.ts'
import { code, GENERATED, page, table } from './markdown.ts'

const DOES: Readonly<Record<HookKind, string>> = {
  start: 'gives the model the brief: rules in force first, then state, next steps and notes',
  turn: 'gives the model the brief again, once after each compression',
  tool: 'compares the call with the gate of the session state and the scopes of the standing rules, and denies it',
  compact:
    'keeps a draft of the handoff, and where the agent takes text for its summary, gives it the rules and notes to keep',
  'sub-agent': 'receives the last message where it is a session context',
  stop: 'asks once for a handoff where files changed since the last one',
  end: 'drafts a handoff where none was left',
}

/** The page about the hooks of coding agents. */
export async function hooksPage(): Promise<string> {
  return page(
    GENERATED,
    '# Hooks of coding agents',
    '`waybill init --agent <agent>` installs the hooks of one agent, `--agent all` those of every agent. `--dry-run` shows ' +
      'the differences, and `--remove` takes out what was put in. It merges: hooks, members and text of others stay, in ' +
      'their order and form. It refuses settings with comments or errors, files of the same name that it did not write, and ' +
      'links out of the repository, before it writes anything. `waybill doctor` checks that the hooks are in place, current, ' +
      'and able to run. Commit the files: every clone then has the hooks.',
    '## The command',
    'A hook runs `waybill hook <agent> <event>`. Where the repository depends on `waybill`, or has it in `node_modules`, the ' +
      'hooks start `node_modules/.bin/waybill` there, so that everyone has the same version; npx, which starts ' +
      'slower, starts only the MCP server. Elsewhere they start the `waybill` on the path. An agent goes on when the ' +
      'program is missing: it then knows no rules.',
    '`waybill doctor` runs the `waybill` on the path, but only looks at one in `node_modules`: it must be safe in a ' +
      'repository that you do not trust.',
    ...(await Promise.all(Object.values(ADAPTERS).map(agentPart))).flat(),
    '## Plugins',
    'The package has the same hooks, MCP server and skills as a plugin in `integrations/<agent>/`, for the plugin manager of ' +
      'the agent. A plugin starts the `waybill` on the path. Use the plugin or `waybill init --agent`: with both, each hook ' +
      'runs twice.',
    '## One more agent',
    'An agent is a folder in `src/hooks/` and a line in `src/hooks/index.ts`: `adapter.ts` translates its events, ' +
      '`install.ts` says as data which files it needs.',
  )
}

async function agentPart(adapter: Adapter): Promise<string[]> {
  const { agent, title, events, canAsk } = adapter
  const { files, next } = await installOf(adapter, false)
  return [
    `## ${title}`,
    `Name: ${code(agent)}. ${canAsk ? 'It can ask the user about a tool call, where `hooks.rules` says `ask`.' : 'It cannot ask the user about a tool call: where `hooks.rules` says `ask`, the call is denied.'} ${next}`,
    table(
      ['Event', 'Tools', 'What Waybill does'],
      Object.entries(events).map(([event, { kind, matcher }]) => [
        code(event),
        matcher === undefined ? '' : code(matcher),
        DOES[kind],
      ]),
    ),
    table(
      ['File', 'What init puts there'],
      files.map(file => [code(file.path), partOf(file)]),
    ),
  ]
}

function partOf(file: AgentFile): string {
  switch (file.kind) {
    case 'json':
      return [
        ...(file.hooks ? ['a hook for each event'] : []),
        ...(file.members ?? []).map(({ at }) => `${code(at.join('.'))}, the MCP server`),
      ].join('; ')
    case 'block':
      return `${file.comment === 'hash' ? 'the MCP server' : 'instructions'}, between two marker lines${file.ifPresent ? '; only where the file exists' : ''}`
    case 'file':
      return file.path.endsWith('SKILL.md') ? 'a skill' : 'the plugin'
  }
}
