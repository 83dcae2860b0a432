import type * as DurableTypes from '@dbos-inc/dbos-sdk/internal/system_database'
import type * as KyselyTypes from 'kysely'
import type * as MigrationTypes from 'kysely/migration'
import type Pg from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import { WaybillError } from '../error.ts'

/** Loads the driver. */
export async function loadPg(): Promise<typeof Pg> {
  const { default: pg } = await needed('pg', () => import('pg'))
  return pg
}

/** Loads the query builder. */
export function loadKysely(): Promise<typeof KyselyTypes> {
  kysely ??= needed('kysely', () => import('kysely'))
  return kysely
}

let kysely: Promise<typeof KyselyTypes> | undefined

/** Loads the migrator. */
export function loadMigrator(): Promise<typeof MigrationTypes> {
  return needed('kysely', () => import('kysely/migration'))
}

/**
 * Loads the package that migrates the queue's schema; undefined when it is not installed, since only missions need it.
 */
export async function loadDurable(): Promise<typeof DurableTypes | undefined> {
  try {
    return await import('@dbos-inc/dbos-sdk/internal/system_database')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

async function needed<T>(
  name: keyof typeof manifest.peerDependencies,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const why = isAbsent(cause) ? 'is missing' : 'cannot be loaded'
    throw new WaybillError(
      'configuration',
      `the database needs the package ${name}, which ${why}`,
      {
        hint: `npm install pg@${manifest.peerDependencies.pg} kysely@${manifest.peerDependencies.kysely}`,
        cause,
      },
    )
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
