import { statSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { WaybillError } from '../../error.ts'
import { cannotRead } from './fault.ts'
import { type Integration, integrate } from './integrate.ts'
import type { TreeState } from './tree.ts'

/** The answer of the thread. */
export type IntegrationAnswer =
  | { readonly tree: TreeState }
  | {
      readonly error: Pick<WaybillError, 'message' | 'hint'> & { readonly code: string }
    }

/** The sizes in bytes from which an integration runs in a thread, initially and once a thread is running. */
const LARGE = 4_000_000
const LARGE_ENOUGH = 250_000

/** Integrates small segments directly, and large ones in a thread if there is a program for it. */
export class Integrator {
  readonly #program: (() => URL) | undefined
  #worker: Worker | undefined
  #isFirst = true

  constructor(program: (() => URL) | undefined) {
    this.#program = program
  }

  async run(task: Integration): Promise<TreeState> {
    const bytes = task.segments.reduce((sum, { file }) => sum + lengthOf(file), 0)
    const least = this.#isFirst ? LARGE : LARGE_ENOUGH
    // A session starts with an empty integration.
    if (bytes > 0) this.#isFirst = false
    if (!this.#program || bytes < least) return integrate(task)
    return await this.#inThread(this.#program, task)
  }

  #inThread(program: () => URL, task: Integration): Promise<TreeState> {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    this.#worker ??= new Worker(program())
    const worker = this.#worker
    worker.ref()
    return new Promise<TreeState>((resolve, reject) => {
      const settle = () => {
        worker.off('message', answered).off('error', failed).off('exit', exited)
        worker.unref()
      }
      const answered = (answer: IntegrationAnswer) => {
        settle()
        if ('tree' in answer) resolve(answer.tree)
        else reject(errorFrom(answer.error))
      }
      const failed = (cause: Error) => {
        settle()
        this.#worker = undefined
        reject(new WaybillError('internal', 'the integration thread failed', { cause }))
      }
      const exited = () => failed(new Error('it has exited'))
      worker.on('message', answered).on('error', failed).on('exit', exited)
      worker.postMessage(task)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

function lengthOf(file: string): number {
  try {
    return statSync(file).size
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}

function errorFrom({
  code,
  message,
  hint,
}: {
  code: string
  message: string
  hint: string | undefined
}) {
  const known = (['input-output', 'ledger-tampered'] as const).find(name => name === code)
  return new WaybillError(known ?? 'internal', message, hint === undefined ? {} : { hint })
}
