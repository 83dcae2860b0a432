import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import type { Rule } from '../../src/contract/index.ts'
import type { Explanation, Explanations, Sentence } from '../../src/contracts/explanation.ts'
import { contractIds } from './contracts.ts'
import { examplesOf } from './example.ts'
import { root, writeGenerated } from './write.ts'

type Row = Sentence & { readonly check?: string | readonly string[] }

const folderOf = (id: string) => join(root, 'src/contracts', id)

/** Writes the rule explanations of each contract for `waybill explain`: texts, sources and fixtures. */
export async function generateExplanations(): Promise<void> {
  const shared = readRows(join(root, 'src/contracts/requirements.yaml'))
  for (const id of contractIds()) {
    const explanations = await explain(id, shared)
    writeGenerated(
      `src/contracts/${id}/explain.generated.json`,
      `${JSON.stringify(explanations, null, 1)}\n`,
    )
  }
}

async function explain(id: string, shared: readonly Row[]): Promise<Explanations> {
  const { rules } = (await import(join(folderOf(id), 'rules.ts'))) as {
    rules: Record<string, Rule<never>>
  }
  const rows = [...readRows(join(folderOf(id), 'requirements.yaml')), ...shared]
  const contract = id.slice(0, id.lastIndexOf('.'))
  const explained = Object.entries(rules).map(([name, rule]) => {
    const code = `${contract}/${name}`
    return [name, explanation(code, rule, rows, join(folderOf(id), 'fixtures'))] as const
  })
  return Object.fromEntries(explained)
}

function explanation(
  code: string,
  rule: Rule<never>,
  rows: readonly Row[],
  fixtures: string,
): Explanation {
  const { severity, summary, why, phase, unconditional } = rule
  return {
    severity,
    summary,
    why,
    ...(phase && { phase }),
    ...(unconditional && { unconditional }),
    enforces: rows
      .filter(({ check = [] }) => [check].flat().includes(code))
      .map(({ id, level, source, text }) => ({ id, level, source, text: text.trim() })),
    ...examplesOf(fixtures, code),
  }
}

function readRows(file: string): readonly Row[] {
  return existsSync(file) ? ((load(readFileSync(file, 'utf8')) ?? []) as Row[]) : []
}
