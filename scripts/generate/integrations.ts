import manifest from '../../package.json' with { type: 'json' }
import { ADAPTERS } from '../../src/hooks/index.ts'
import { writeGenerated } from './write.ts'

/** Writes the folder that the plugin manager of each agent installs. */
export async function generateIntegrations(): Promise<void> {
  const { name, version, description, license } = manifest
  const about = { name, version, description, license }
  for (const adapter of Object.values(ADAPTERS)) {
    const { plugin } = await adapter.loadInstaller()
    for (const [path, content] of Object.entries(plugin(adapter, about))) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
      writeGenerated(`integrations/${adapter.agent}/${path}`, text)
    }
  }
}
