import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seeded, timeOf } from './random.ts'

/** Writes a manifest with so many domains below a folder, each with a prompt of about 2 KB. */
export function writeAgents(folder: string, count: number): void {
  const prompts = join(folder, 'domains')
  mkdirSync(prompts, { recursive: true })
  const domains: Record<string, object> = {}
  for (let number = 0; number < count; number++) {
    const id = `domain-${String(number).padStart(5, '0')}`
    const { sentence, sentences } = seeded(number)
    const file = `domains/${id}.md`
    domains[id] = { name: id, file, canonical_id: id, version: '1.0.0', scope: sentence() }
    writeFileSync(join(folder, file), `# ${id}\n\n${sentences(22)}\n`)
  }
  const manifest = {
    version: '1.0.0',
    generated: timeOf(0),
    description: 'Many agents.',
    taxonomy: 'by number',
    domains,
    archetypes: {},
    governance: {},
  }
  writeFileSync(join(folder, 'waybill.yaml'), '# many agents\n')
  writeFileSync(join(folder, 'prompt-manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
