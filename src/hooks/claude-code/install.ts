import type { Adapter } from '../adapter.ts'
import {
  type About,
  hookGroups,
  type Install,
  launcher,
  mcpServer,
  type PluginFolder,
  pluginParts,
} from '../install/files.ts'
import { instructions, pluginSkills, skillFiles } from '../install/skills.ts'

/** Project settings, the MCP server of the project, skills and instructions. */
export function install(adapter: Adapter, isLocal: boolean): Install {
  const command = launcher(isLocal, '$CLAUDE_PROJECT_DIR')
  return {
    command,
    files: [
      { kind: 'json', path: '.claude/settings.json', hooks: hookGroups(adapter, command) },
      { kind: 'json', path: '.mcp.json', members: [mcpServer(isLocal)] },
      ...skillFiles('.claude/skills'),
      instructions('AGENTS.md'),
      // Where it imports AGENTS.md, the agent reads the part there.
      instructions('CLAUDE.md', { ifPresent: true, unless: /@(?:\.\/)?AGENTS\.md\b/ }),
    ],
    next: 'Restart Claude Code, trust this folder if it asks, and accept the MCP server waybill.',
  }
}

/** A plugin of Claude Code. */
export function plugin(adapter: Adapter, about: About): PluginFolder {
  return {
    '.claude-plugin/plugin.json': { ...about, author: { name: about.name } },
    ...pluginParts(adapter),
    ...pluginSkills(),
  }
}
