import type { Adapter } from '../adapter.ts'
import {
  type Install,
  launcher,
  OWN_FILE,
  type PluginFolder,
  serverCommand,
} from '../install/files.ts'
import { instructions, pluginSkills, SHARED_SKILLS, skillFiles } from '../install/skills.ts'
import { PLUGIN } from './plugin.generated.ts'

/** The plugin, which finds the program itself, the MCP server, skills and instructions. */
export function install(_adapter: Adapter, isLocal: boolean): Install {
  const forms = [isLocal, !isLocal].map(local => ({
    type: 'local',
    command: serverCommand(local),
  }))
  return {
    command: launcher(isLocal, '.'),
    files: [
      { kind: 'file', path: '.opencode/plugins/waybill.js', text: `// ${OWN_FILE}\n${PLUGIN}` },
      { kind: 'json', path: 'opencode.json', members: [{ at: ['mcp', 'waybill'], forms }] },
      ...skillFiles(SHARED_SKILLS),
      instructions('AGENTS.md'),
    ],
    next: 'Restart OpenCode.',
  }
}

/** The plugin file of OpenCode with the skills. */
export function plugin(): PluginFolder {
  return { 'waybill.js': PLUGIN, ...pluginSkills() }
}
