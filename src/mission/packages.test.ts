import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const RUNNERS = join(import.meta.dirname, 'runners')
const SUITE = join(import.meta.dirname, '../../test/mission-payloads.ts')

/** Runs a program in a process of its own that finds every package but those of one name. */
function runWithout(name: string, runner: string) {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ resolve: (wanted, context, next) => {
      if (wanted !== '${name}' && !wanted.startsWith('${name}/')) return next(wanted, context)
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    } })`
  const program = `import { modelRunner } from ${JSON.stringify(join(RUNNERS, 'model.ts'))}
    import { a2aRunner } from ${JSON.stringify(join(RUNNERS, 'a2a.ts'))}
    import { envelopeOf, exampleOf, graphOf, MISSION } from ${JSON.stringify(SUITE)}
    import { createServer } from 'node:http'
    const server = createServer((_, response) => response.writeHead(404).end())
    await new Promise(done => server.listen(0, '127.0.0.1', done))
    const url = 'http://127.0.0.1:' + server.address().port
    const models = {
      open: { provider: 'openai-compatible', model: 'm', url },
      anthropic: { provider: 'anthropic', model: 'm', url },
    }
    const outcome = await ${runner}.run(
      {
        mission: envelopeOf(MISSION, 'tenant-a'), task: graphOf(MISSION, { first: [] }).tasks[0],
        agent: 'a', attempt: 1, prompt: null, pass: null, inputs: [], repair: null,
        budget: { ms: null, tokens: null }, returns: { artifacts: ['worker_result'], schema: {} },
      },
      { root: '/', environment: {}, signal: new AbortController().signal },
    )
    server.close()
    console.log(JSON.stringify(outcome))`
  const before = `data:text/javascript,${encodeURIComponent(hooks)}`
  const args = ['--import', before, '--input-type=module', '-e', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return JSON.parse(stdout || JSON.stringify(stderr))
}

test.each([
  ['ai', "modelRunner({ route: 'open' }, models)"],
  ['@ai-sdk/openai-compatible', "modelRunner({ route: 'open' }, models)"],
  ['@ai-sdk/anthropic', "modelRunner({ route: 'anthropic' }, models)"],
  ['@a2a-js/sdk', 'a2aRunner({ url })'],
])('without %s a runner says what to install', (name, runner) => {
  const { message, ...outcome } = runWithout(name, runner)
  expect(outcome).toEqual({ is: 'failed', code: 'mission/runner-missing', mayRetry: false })
  expect(message).toContain(`needs the package ${name}, which is missing`)
  expect(message).toContain(`npm install ${name}@^`)
})
