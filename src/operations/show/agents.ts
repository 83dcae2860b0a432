import { counted } from '../../contract/index.ts'
import { fieldsOf, lines, listOf, said, tableSection, textSection } from './said.ts'
import type { Body } from './view.ts'

const KINDS = [
  ['orchestrators', 'orchestrator'],
  ['domains', 'domain'],
  ['archetypes', 'archetype'],
] as const

/** Describes the agents of a manifest and which agents each may hand over to. */
export function describeManifest(value: unknown): Body {
  const manifest = fieldsOf(value)
  const agents = KINDS.flatMap(([key, kind]) =>
    Object.entries(fieldsOf(manifest[key])).map(
      ([id, agent]) => ({ id, kind, ...fieldsOf(agent) }) as Agent,
    ),
  )
  const counts = KINDS.map(
    ([key, kind]) => [kind, Object.keys(fieldsOf(manifest[key])).length] as const,
  )
  return {
    facts: lines(
      ['Version', manifest.version],
      ['Agents', counts.filter(([, n]) => n > 0).map(([kind, n]) => counted(n, kind))],
    ),
    sections: [
      ...textSection('Description', manifest.description),
      ...tableSection(
        'Agents',
        ['ID', 'KIND', 'VERSION', 'NAME', 'COMPOSED OF', 'HANDS TO'],
        agents.map(agent => [
          agent.id,
          agent.kind,
          agent.version,
          agent.name,
          madeOf(agent),
          handsTo(agent),
        ]),
      ),
    ],
  }
}

type Agent = Readonly<Record<string, unknown>> & { readonly id: string; readonly kind: string }

function madeOf({ composition }: Agent): string[] {
  return Object.entries(fieldsOf(composition)).map(
    ([domain, percent]) => `${domain} ${said(percent) ?? ''}%`,
  )
}

function handsTo({ collaboration }: Agent): readonly unknown[] {
  return listOf(fieldsOf(collaboration).hands_to)
}

/** Describes the locked prompts by the start of their hashes. */
export function describeLock(value: unknown): Body {
  const lock = fieldsOf(value)
  const { total_prompts, domains, archetypes } = fieldsOf(lock.integrity)
  return {
    facts: lines(
      ['Version', lock.version],
      ['Algorithm', lock.algorithm],
      ['Totals', total(total_prompts, domains, archetypes)],
    ),
    sections: [
      ...textSection('Description', lock.description),
      ...tableSection(
        'Prompts',
        ['ID', 'KIND', 'VERSION', 'HASH', 'FILE'],
        Object.entries(fieldsOf(lock.prompts)).map(([id, prompt]) => {
          const { type, version, hash, file } = fieldsOf(prompt)
          return [
            id,
            type,
            version,
            typeof hash === 'string' ? `${hash.slice(0, 12)}…` : hash,
            file,
          ]
        }),
      ),
    ],
  }
}

function total(prompts: unknown, domains: unknown, archetypes: unknown): string[] {
  const parts = [
    [prompts, 'prompt'],
    [domains, 'domain'],
    [archetypes, 'archetype'],
  ] as const
  return parts.flatMap(([count, noun]) => (typeof count === 'number' ? [counted(count, noun)] : []))
}
