import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReceiveOutput } from '../src/operations/receive/output.ts'
import receive from '../src/operations/receive.ts'
import send from '../src/operations/send.ts'
import {
  cloneGoverned,
  draftOf,
  type GovernedRepository,
  openGovernedRepository,
} from './governed-repository.ts'
import { waybill as runIn } from './waybill.ts'

export const PRODUCT = 'domain-05-product'
export const ANALYSIS = 'domain-02-analysis'
export const THINKER = 'archetype-product-thinker'
export const DESK = 'orchestrator-desk'

/** Two installations of one repository: one sends, and the other, which has no private key of an agent, receives. */
export interface Pair {
  readonly sender: GovernedRepository
  readonly receiver: GovernedRepository
  /** Sends a handoff from one and brings both files to the other; gives the path there. */
  bring(from?: string, to?: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  receive(path: string, more?: Readonly<Record<string, string>>): Promise<ReceiveOutput>
  remove(): void
}

/** Makes two installations of one repository. */
export async function openPair(config = ''): Promise<Pair> {
  const sender = await openGovernedRepository(config)
  const receiver = await cloneGoverned(sender)
  let number = 0
  return {
    sender,
    receiver,
    bring: async (from = PRODUCT, to = ANALYSIS, more = {}) => {
      const draft = `draft-${number++}.json`
      sender.write(draft, JSON.stringify(draftOf(from, to, more)))
      const { document, envelope, diagnostics } = await send.run({ path: draft }, sender.app())
      if (document === null || envelope === null) throw new Error(JSON.stringify(diagnostics))
      for (const path of [document, envelope])
        copyFileSync(join(sender.root, path), join(receiver.root, path))
      return document
    },
    receive: (path, more = {}) => receive.run({ path, ...more }, receiver.app()),
    remove: () => {
      sender.remove()
      receiver.remove()
    },
  }
}

/** The codes of the errors of an answer. */
export const codesOf = ({ diagnostics }: Pick<ReceiveOutput, 'diagnostics'>) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)

/** The text of a file of a repository. */
export const textOf = ({ root }: GovernedRepository, path: string) =>
  readFileSync(join(root, path), 'utf8')

/** Runs the command line in a repository. */
export function waybill({ root }: GovernedRepository, ...args: readonly string[]) {
  return runIn(args, { cwd: root })
}
