import type { Adapter } from '../adapter.ts'
import {
  type About,
  hookGroups,
  type Install,
  launcher,
  mcpServer,
  type PluginFolder,
  pluginHooks,
  pluginServers,
} from '../install/files.ts'
import { instructions, pluginSkills, SHARED_SKILLS, skillFiles } from '../install/skills.ts'

/** Settings of the workspace with hooks and MCP server, skills and instructions. */
export function install(adapter: Adapter, isLocal: boolean): Install {
  // Gemini CLI itself replaces the name without braces, by a text that is quoted already.
  const command = launcher(isLocal, `\${GEMINI_PROJECT_DIR}`)
  return {
    command,
    files: [
      {
        kind: 'json',
        path: '.gemini/settings.json',
        hooks: hookGroups(adapter, command, 'milliseconds'),
        members: [mcpServer(isLocal)],
      },
      ...skillFiles(SHARED_SKILLS),
      instructions('AGENTS.md'),
      instructions('GEMINI.md', { ifPresent: true, unless: /@(?:\.\/)?AGENTS\.md\b/ }),
    ],
    next: 'Restart Gemini CLI, and trust this folder and its hooks when it asks.',
  }
}

/** An extension of Gemini CLI. */
export function plugin(adapter: Adapter, { name, version, description }: About): PluginFolder {
  return {
    'gemini-extension.json': { name, version, description, mcpServers: pluginServers() },
    'hooks/hooks.json': pluginHooks(adapter, 'milliseconds'),
    ...pluginSkills(),
  }
}
