import { expect, test } from 'vitest'
import { openApp } from '../../app.ts'
import { checkFiles, ENOUGH_FILES } from './pool.ts'

/** Documents of which every seventh lacks its session, so that results tell one from the other. */
const sources = Array.from({ length: ENOUGH_FILES }, (_, number) => {
  const document = {
    schema_version: '1.0.0',
    ...(number % 7 > 0 && { session_id: `s-${number}` }),
    source_agent: { id: 'ps-researcher', family: 'ps' },
    target_agent: { id: 'ps-analyst', family: 'ps' },
    timestamp: '2026-01-11T12:00:00Z',
    payload: { key_findings: [], confidence: { overall: 0.8 } },
  }
  const path = `${number}.json`
  return { file: `/${path}`, path, named: true, bytes: Buffer.from(JSON.stringify(document)) }
})

test('two threads answer as one does, in the order of the sources', async () => {
  const app = openApp({ now: '2026-06-01T12:00:00Z' }, '0')
  const { worker: _, ...alone } = app
  let threads = 0
  const both = {
    ...app,
    worker: () => {
      threads++
      return app.worker?.() ?? new URL(import.meta.url)
    },
  }
  const { now, root } = app
  const settings = { now, root, structureOnly: false, excerpts: false, severities: new Map() }
  const job = { settings, config: {}, given: {} }
  const ours = await checkFiles([...sources], job, both)
  expect(threads).toBe(1)
  expect(ours).toEqual(await checkFiles([...sources], job, alone))
  expect(ours.documents.map(({ path }) => path)).toEqual(sources.map(({ path }) => path))
  expect(ours.documents[7]).toMatchObject({ path: '7.json', accepted: false })
})
