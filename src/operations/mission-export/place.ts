import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../error.ts'
import { bundledMission, LARGEST_BUNDLE } from '../../mission/index.ts'
import { cannotWrite } from '../../workspace/index.ts'
import type { App } from '../operation.ts'

/** Where a bundle is to be written, and whether one that stands there may go. */
export interface Placing {
  readonly app: App
  readonly replace: boolean
}

/** Refuses a place where anything stands but a bundle that is to be replaced. */
export function requirePlace(path: string, placing: Placing): void {
  try {
    refuseStanding(path, placing)
  } catch (cause) {
    throw whyNotWritten(path, cause)
  }
}

function refuseStanding(path: string, { app, replace }: Placing): void {
  const file = resolve(app.cwd, path)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (there === undefined) return
  const mission = missionAt(file, there)
  if (mission !== undefined && replace) return
  throw standing(path, mission === undefined ? whatIs(there) : `the bundle of ${mission}`, mission)
}

function standing(path: string, what: string, mission: string | undefined): WaybillError {
  const other = 'name another file with --to'
  return new WaybillError(
    'exists',
    `${path} exists already, and is not overwritten: it is ${what}`,
    {
      hint:
        mission === undefined
          ? `${other}; --replace replaces a bundle exactly as it was exported, and nothing else`
          : `${other}, or replace the bundle with --replace`,
    },
  )
}

/** The mission whose bundle a file is; what somebody has changed since is that person's. */
function missionAt(file: string, there: Stats): string | undefined {
  return there.isFile() && there.size <= LARGEST_BUNDLE
    ? bundledMission(readFileSync(file))
    : undefined
}

function whatIs(there: Stats): string {
  if (there.isDirectory()) return 'a folder'
  if (there.isSymbolicLink()) return 'a link'
  return there.isFile() ? 'a file that is no bundle, or was changed' : 'no file'
}

/** The error for what a file system refuses at a place; every other one as it is. */
export function whyNotWritten(path: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === undefined || cause instanceof WaybillError) return cause
  if (code === 'EEXIST')
    return new WaybillError('exists', `${path} was written by somebody else just now`, {
      hint: 'look at it, and name another file with --to',
      cause,
    })
  return cannotWrite(path, cause)
}
