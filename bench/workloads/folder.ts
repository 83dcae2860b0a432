import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EVIDENCE_FILES, type Handoff } from './handoff-document.ts'

/** Writes documents into a folder and creates it if needed; returns the bytes written. */
export function writeDocuments(
  folder: string,
  count: number,
  name: (number: number) => string,
  text: (number: number) => string,
): number {
  let bytes = 0
  for (let number = 0; number < count; number++)
    bytes += put(join(folder, name(number)), text(number))
  return bytes
}

/** Writes handoff documents and their evidence files into a folder; returns the bytes of the documents. */
export function writeHandoffs(
  folder: string,
  count: number,
  handoff: (number: number) => Handoff,
  written: (number: number) => void = () => {},
): number {
  for (const [path, text] of EVIDENCE_FILES) put(join(folder, path), text)
  let bytes = 0
  for (let number = 0; number < count; number++) {
    const { path, text } = handoff(number)
    bytes += put(join(folder, path), text)
    written(number)
  }
  return bytes
}

/** The same as a Git repository with about twenty commits. */
export function writeRepository(
  folder: string,
  count: number,
  handoff: (number: number) => Handoff,
): number {
  const commit = openRepository(folder)
  const batch = Math.ceil(count / 20)
  return writeHandoffs(folder, count, handoff, number => {
    if ((number + 1) % batch === 0 || number + 1 === count) commit(`Up to ${number}`)
  })
}

/** Returns a function that commits everything at fixed times, so the history is the same in every run. */
function openRepository(folder: string): (message: string) => void {
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: '2026-02-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-02-01T00:00:00Z',
  }
  const run = (args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  mkdirSync(folder, { recursive: true })
  run(['init', '-q', '-b', 'main'])
  return message => {
    run(['add', '-A'])
    run(['commit', '-q', '-m', message])
  }
}

function put(file: string, text: string): number {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return Buffer.byteLength(text)
}
