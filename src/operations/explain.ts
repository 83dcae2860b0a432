import { type CodeMeaning, type Contract, nearest, quote } from '../contract/index.ts'
import { contracts, findContract, loadExplanations } from '../contracts/index.ts'
import { WaybillError } from '../error.ts'
import { NOT_CHECKED, OTHER_CODES } from './explain/codes.ts'
import type { CodeGroup, ExplainedCode, ExplainOutput } from './explain/output.ts'
import { defineOperation } from './operation.ts'

const input = {
  type: 'object',
  properties: {
    code: {
      type: 'string',
      positional: true,
      description:
        'A code such as handoff-document/no-placeholders, or the part before its slash (default: list all).',
    },
  },
} as const

/** Explains a diagnostic code. */
export default defineOperation({
  name: 'explain',
  summary: 'Explain a diagnostic code',
  description:
    'Prints what a code requires, why, and how to fix it; for a rule of a contract also the sentences of the ' +
    'specification that it enforces, an example that passes, one that fails, and its output. Without a code, lists ' +
    'all.',
  examples: [
    { command: 'waybill explain', does: 'list every code' },
    { command: 'waybill explain session-context', does: 'list the rules of one contract' },
    { command: 'waybill explain handoff-document/no-placeholders', does: 'explain one rule' },
    { command: 'waybill explain schema/required', does: 'explain a structural error' },
    { command: 'waybill explain resume', does: 'list the reasons why resuming fails or warns' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: ({ code }) => explain(code),
  forAgents: (output, { code }) =>
    code === undefined && 'groups' in output ? { groups: output.groups.map(withoutCodes) } : output,
})

async function explain(code: string | undefined): Promise<ExplainOutput> {
  if (code === undefined) return { groups: await everyGroup() }
  const contract = findContract(code)
  if (contract) return { groups: [await groupOf(contract)] }
  const family = otherGroups(code)
  if (family.length > 0) return { groups: family }
  const rule = explainOther(code) ?? (await explainRule(code))
  if (rule) return { rule }
  const meant = nearest(code, await everyCode()) ?? (await withName(code))
  throw new WaybillError('not-found', `unknown code ${quote(code)}`, {
    hint: meant ? `did you mean ${meant}?` : 'run waybill explain to list the codes',
  })
}

async function groupOf(contract: Contract): Promise<CodeGroup> {
  const explanations = Object.entries(await loadExplanations(contract))
  const codes = explanations.map(([name, { severity, summary }]) => ({
    code: `${contract.name}/${name}`,
    severity,
    summary,
  }))
  return { title: contract.title, contract: contract.name, codes }
}

async function everyGroup(): Promise<CodeGroup[]> {
  return [...(await Promise.all(contracts.map(groupOf))), ...otherGroups(), notChecked()]
}

/** All codes would take much of a session. */
function withoutCodes({ title, contract, codes }: CodeGroup): CodeGroup {
  const families = contract ? [contract] : codes.map(({ code }) => code.split('/')[0] ?? code)
  return { title, contract, codes: [], count: codes.length, families: [...new Set(families)] }
}

/** Returns the not-checked code of each contract. */
function notChecked(): CodeGroup {
  const { severity, summary } = NOT_CHECKED
  const codes = contracts.map(({ name }) => ({ code: `${name}/not-checked`, severity, summary }))
  return { title: 'What could not be checked', contract: null, codes }
}

/** Returns the codes outside of contracts: all, or those with one prefix. */
function otherGroups(family?: string): CodeGroup[] {
  const groups = OTHER_CODES.map(({ title, codes }) => ({
    title,
    contract: null,
    codes: Object.entries(codes)
      .filter(([code]) => family === undefined || code.split('/')[0] === family)
      .map(([code, { severity, summary }]) => ({ code, severity, summary })),
  }))
  return groups.filter(({ codes }) => codes.length > 0)
}

function explainOther(code: string): ExplainedCode | undefined {
  const [name = '', rule] = code.split('/')
  const contract = rule === 'not-checked' ? findContract(name) : undefined
  if (contract) return withoutExample(code, NOT_CHECKED, contract)
  for (const { codes } of OTHER_CODES) {
    const meaning = Object.entries(codes).find(([known]) => known === code)?.[1]
    if (meaning) return withoutExample(code, meaning)
  }
  return undefined
}

function withoutExample(code: string, meaning: CodeMeaning, contract?: Contract): ExplainedCode {
  return { code, contract: contract?.name ?? null, ...meaning, enforces: [], printed: [] }
}

async function explainRule(code: string): Promise<ExplainedCode | undefined> {
  const [name = '', rule = ''] = code.split('/')
  const contract = findContract(name)
  const explanations = contract && (await loadExplanations(contract))
  if (!explanations || !Object.hasOwn(explanations, rule)) return undefined
  const explanation = explanations[rule]
  return (
    explanation && { code: `${contract.name}/${rule}`, contract: contract.name, ...explanation }
  )
}

async function everyCode(): Promise<string[]> {
  const groups = await everyGroup()
  return groups.flatMap(group => group.codes.map(c => c.code))
}

/** Finds a code by a name similar to the part after its slash. */
async function withName(name: string): Promise<string | undefined> {
  const codes = await everyCode()
  const meant = nearest(
    name,
    codes.map(code => code.slice(code.indexOf('/') + 1)),
  )
  return codes.find(code => code.endsWith(`/${meant}`))
}
