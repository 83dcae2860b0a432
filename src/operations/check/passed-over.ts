import { relative, resolve } from 'node:path'
import { type Contract, counted, shellWord } from '../../contract/index.ts'
import { hasNoteName, hasStampedName, isUnderHandoffs } from '../../contracts/index.ts'
import { type Document, maskSecrets } from '../../document/index.ts'
import type { App } from '../operation.ts'
import type { CheckOutput } from './output.ts'

/** A file that was passed over though it may be meant as a document. */
export interface PassedOver {
  readonly path: string
  readonly contract: string | null
  readonly why: string
  /** The command for it. */
  readonly verb: 'check' | 'adopt'
}

/** Tells why a file that is no document may be meant as one; undefined if nothing suggests it. */
export function whyPassedOver(
  path: string,
  { format }: Document,
  resembled: Contract | undefined,
): PassedOver | undefined {
  const about = { path: maskSecrets(path), contract: resembled?.name ?? null } as const
  if (format === 'markdown') {
    const why = whyNoHandoff(path, resembled)
    return why === undefined
      ? undefined
      : { ...about, contract: 'handoff-document', why, verb: 'adopt' }
  }
  const why = resembled
    ? resembled.recognise.isNamed?.(path)
      ? `it is named like documents of the ${resembled.name} contract, but has none of their keys`
      : `it has keys of the ${resembled.name} contract, but its name and content do not identify it`
    : isUnderHandoffs(path)
      ? 'it is in handoffs/, but is no document of a known contract'
      : undefined
  return why === undefined ? undefined : { ...about, why, verb: 'check' }
}

function whyNoHandoff(path: string, resembled: Contract | undefined): string | undefined {
  if (resembled)
    return 'it has the sections of a handoff, but is neither in handoffs/ nor named like one'
  const but = 'but has neither the frontmatter nor the sections of one'
  if (isUnderHandoffs(path)) return `it is in handoffs/, ${but}`
  return hasNoteName(path) || hasStampedName(path)
    ? `it is named like a handoff, ${but}`
    : undefined
}

type PassedOverOutput = NonNullable<CheckOutput['passedOver']>[number]

/** The files passed over, each with the next command from the current folder. */
export function withNextCommand(
  files: readonly PassedOver[],
  { root, cwd }: App,
): readonly PassedOverOutput[] {
  return files.map(({ verb, ...file }) => {
    const name = relative(cwd, resolve(root, file.path))
    return { ...file, next: `waybill ${verb} ${shellWord(name)}` }
  })
}

/** Tells why a check found no document, and the next command. */
export function whyNothing(
  searched: number,
  isPart: boolean,
  passedOver: readonly PassedOverOutput[],
): NonNullable<CheckOutput['nothing']> {
  const changed = isPart ? 'changed ' : ''
  const why =
    searched === 0
      ? `there is no ${changed}JSON, YAML or Markdown file to check`
      : `${counted(searched, `${changed}file`)} searched, none is a document of a known contract`
  const first = isPart ? 'waybill check' : 'waybill handoff'
  return { why, next: passedOver[0]?.next ?? first }
}
