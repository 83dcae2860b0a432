import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { envelopeOf } from './mission-payloads.ts'

const STORE = join(import.meta.dirname, '../src/store/index.ts')
const SCRIPT = `
  import { insertArtifact, openStore } from ${JSON.stringify(STORE)}
  const store = await openStore({ url: process.argv[1] })
  const ran = await store.migrate()
  await store.tenant('acme', tx => insertArtifact(tx, JSON.parse(process.argv[2])))
  await store.close()
  console.log(JSON.stringify(ran))`

/** Migrates a database in a process of its own, which then stores a mission; answers which migrations it ran. */
export async function migrateApart(url: string): Promise<readonly string[]> {
  const envelope = JSON.stringify(envelopeOf(randomUUID(), 'acme'))
  const args = ['--input-type=module', '-e', SCRIPT, url, envelope]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (complained !== '') throw new Error(complained)
  return JSON.parse(said)
}
