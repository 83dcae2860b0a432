import { existsSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installProgram } from './installed.ts'

/** In the folder of the run. */
const place = join(tmpdir(), 'program')

/** The program as it is built, installed for all tests of a run by the first that starts it. */
export const PROGRAM = join(place, 'dist/waybill.cjs')

if (!existsSync(place)) {
  const { folder, remove } = installProgram()
  try {
    renameSync(folder, place)
  } catch (error) {
    remove()
    // Another one was first.
    if (!existsSync(place)) throw error
  }
}
