import { afterEach, beforeEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { modelsOf } from '#tests/support/models.ts'
import type { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

/** What is opened for a test: whether a model works, what else the world has, and the agent. */
interface Opening {
  hasModel: boolean
  options?: WorldOptions
  character?: object
  task: object
}

/** The agent "ada" with the task "t", whose runs a worker takes up, and a model if the test asks for one. */
export class Works {
  model!: ModelServer
  world!: World
  key = ''
  #store!: Store
  #worker: Runner | undefined

  constructor(kind: ReturnType<typeof stores>[number]) {
    beforeEach(async () => {
      this.#store = await kind.open()
      this.model = await startModelServer()
    })
    afterEach(async () => {
      await this.#worker?.stop()
      await this.world.ports.schemas.close()
      this.model.close()
      await this.#store.close()
    })
  }

  readonly open = async ({ hasModel, options, character, task }: Opening): Promise<void> => {
    const models = modelsOf({
      defaultModel: { provider: 'openai', model: 'm' },
      openai: { apiKey: 'sk-1', baseUrl: this.model.baseUrl },
    })
    this.world = openWorld(this.#store, { ...options, ...(hasModel && { models }) })
    this.#worker = runner(this.world.ports, 8)
    this.world.ports.wake.connect('runs', (count) => this.#worker?.wake(count))
    this.key = (await this.world.account()).key
    const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'Do it.', ...task }] }
    const whole = { id: 'ada', name: 'Ada', ...character, heart }
    await this.world.ask('characters.create', { character: whole }, this.key)
  }

  readonly start = (input: unknown = null): Promise<Run> =>
    this.world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't', input }, this.key)

  readonly read = (id: string): Promise<Run> =>
    this.world.ask<Run>('runs.get', { run_id: id }, this.key)

  readonly ended = async (input?: unknown): Promise<Run> => {
    const { id } = await this.start(input)
    await until(async () => (await this.read(id)).finished_at !== null)
    return this.read(id)
  }
}
