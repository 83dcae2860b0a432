import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type MissionRepository, openMissionRepository } from './mission-repository.ts'
import { PIPELINE_AGENT } from './pipeline-agents.ts'
import { PROGRAM } from './program.ts'
import { waybill } from './waybill.ts'

/** Pipelines that the tests of a file run in one repository by the CLI, each in a folder of its own. */
export class PipelineRuns {
  repository!: MissionRepository
  place = ''
  private count = 0
  private readonly environment: NodeJS.ProcessEnv

  constructor(environment: NodeJS.ProcessEnv, configuration?: string) {
    this.environment = environment
    beforeAll(async () => {
      this.repository = await openMissionRepository(configuration)
      this.repository.write('agents/agent.mjs', PIPELINE_AGENT)
    })
    afterAll(() => this.repository?.remove())
    beforeEach(() => {
      this.place = `work-${++this.count}`
      this.repository.write('ran.txt', '')
      rmSync(join(this.root, 'go'), { force: true })
    })
  }

  get root(): string {
    return this.repository.root
  }

  readonly file = () => `${this.place}/ORCHESTRATION.yaml`
  readonly read = () => readFileSync(join(this.root, this.file()), 'utf8')
  readonly ran = () => readFileSync(join(this.root, 'ran.txt'), 'utf8').split('\n').filter(Boolean)
  readonly put = (words: string) =>
    this.repository.write(this.file(), words.replaceAll('out/', `${this.place}/out/`))

  readonly start = (...args: readonly string[]) =>
    spawn(process.execPath, this.verb(args), { ...this.settings(), detached: true })

  /** The same at a terminal of a hundred columns. */
  readonly onTerminal = (...args: readonly string[]) => {
    const run = `stty cols 100 rows 30; exec ${[process.execPath, ...this.verb(args)].join(' ')}`
    return spawn('script', ['-qec', run, '/dev/null'], this.settings())
  }

  private verb(args: readonly string[]): string[] {
    return [PROGRAM, 'pipeline', ...args, '--file', this.file()]
  }

  private settings() {
    const env = {
      ...this.environment,
      DATABASE_URL: this.repository.database.url,
      XDG_STATE_HOME: this.root,
      TERM: 'xterm',
    }
    return { cwd: this.root, env }
  }

  readonly pipeline = async (...args: readonly string[]) => {
    const words = ['pipeline', ...args, '--file', this.file()]
    const { status, stdout, stderr } = await waybill(words, this.settings())
    return { code: status, out: stdout, err: stderr }
  }

  readonly run = async () => {
    const { code, out, err } = await this.pipeline('run', '--format', 'json')
    if (out === '') throw new Error(err)
    return { code, err, ...JSON.parse(out) }
  }
}
