import type { Adapter } from '../adapter.ts'
import {
  type About,
  hookGroups,
  type Install,
  launcher,
  type PluginFolder,
  pluginParts,
  serverCommand,
} from '../install/files.ts'
import { instructions, pluginSkills, SHARED_SKILLS, skillFiles } from '../install/skills.ts'

/** Hooks of the project, the MCP server in its configuration, skills and instructions. */
export function install(adapter: Adapter, isLocal: boolean): Install {
  // Codex names no variable for the project, and runs hooks in the folder of the session.
  const command = launcher(isLocal, '$(git rev-parse --show-toplevel)')
  const [program, ...args] = serverCommand(isLocal)
  return {
    command,
    files: [
      { kind: 'json', path: '.codex/hooks.json', hooks: hookGroups(adapter, command) },
      {
        kind: 'block',
        path: '.codex/config.toml',
        comment: 'hash',
        text: `[mcp_servers.waybill]\ncommand = ${JSON.stringify(program)}\nargs = [${args.map(arg => JSON.stringify(arg)).join(', ')}]`,
        unless: /^\s*\[\s*mcp_servers\s*\.\s*"?waybill"?\s*[\].]/m,
      },
      ...skillFiles(SHARED_SKILLS),
      instructions('AGENTS.md'),
    ],
    next: 'Restart Codex, trust this project, and review and trust the hooks with /hooks: until then Codex skips them.',
  }
}

/** A plugin of Codex. */
export function plugin(adapter: Adapter, about: About): PluginFolder {
  return {
    '.codex-plugin/plugin.json': {
      ...about,
      skills: './skills/',
      mcpServers: './.mcp.json',
      hooks: './hooks/hooks.json',
    },
    ...pluginParts(adapter),
    ...pluginSkills(),
  }
}
