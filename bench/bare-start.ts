import { generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { exampleOf, insertionOf, type Payload } from '../test/mission-payloads.ts'
import { missionOf, resultOf, TEN, TENANT } from './workloads/store.ts'

/** The size of a handoff entry in bytes. */
const ENTRY = Buffer.alloc(9000, 'e')
const PACKAGE = exampleOf('prompt-package.v1')

/** The minimal cost of a governed start and its result: signatures, entries on disk, and artifacts in their tables. */
export class BareStart {
  readonly #rows: pg.Pool
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #file: number
  #waiting: (() => void)[] = []

  constructor(folder: string, url: string) {
    this.#rows = new pg.Pool({ connectionString: url, max: 8 })
    this.#file = openSync(join(folder, `bare-${randomUUID()}`), 'w')
  }

  /** Stores a mission of ten tasks and returns its id. */
  async begin(): Promise<string> {
    const { mission, envelope, graph } = missionOf(TEN)
    await this.#insert('mission_envelope', envelope)
    await this.#insert('mission_task_graph', graph)
    return mission
  }

  /** Signs and records the send and the receive of a handoff, with the prompts before and the result after it. */
  async start(mission: string, task: string): Promise<void> {
    const of = { mission_id: mission, task_id: task }
    await this.#insert('prompt_package', { ...PACKAGE, ...of, package_id: randomUUID() })
    const signature = this.#sign()
    await this.#append()
    if (!verify('sha256', ENTRY, this.#keys.publicKey, signature))
      throw new Error('the signature is good')
    await this.#append()
    await this.#insert('worker_result', resultOf(mission, task))
  }

  end(): Promise<void> {
    return this.#rows.end()
  }

  #sign(): Buffer {
    return sign('sha256', ENTRY, this.#keys.privateKey)
  }

  async #insert(name: Parameters<typeof insertionOf>[0], payload: Payload): Promise<void> {
    const [text, values] = insertionOf(name, payload, TENANT)
    await this.#rows.query({ name, text, values: [...values] })
  }

  /** Concurrent appends share one flush to disk. */
  #append(): Promise<void> {
    this.#sign()
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    writeSync(this.#file, Buffer.concat(waiting.map(() => ENTRY)))
    fdatasyncSync(this.#file)
    for (const go of waiting) go()
  }
}
