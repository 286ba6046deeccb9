import { afterAll, beforeAll, expect } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { agentWithTask } from '../case.ts'
import { a2aDoor, mcpDoor, restDoor } from '../doors/doors.ts'
import { openServer, type PlayedServer } from '../doors/server.ts'
import { callsIn, type NamedCall } from '../doors/words.ts'
import { newStage, operationNamed } from '../play.ts'

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }

/** The doors at which such calls are tried. */
export const tried = ['rest', 'mcp', 'a2a'] as const
/** The store on which they are, if this run has it. */
export const [embedded] = stores()

/** The owner of an agent with a task, who calls operations at one door of a server of the tests' own. */
export class Caller {
  readonly #door: (typeof tried)[number]
  #server!: PlayedServer
  stage!: ReturnType<typeof newStage>
  char_id = ''
  task_id = ''

  constructor(door: (typeof tried)[number]) {
    this.#door = door
    beforeAll(async () => {
      if (!embedded) return
      this.#server = await openServer(embedded)
      this.stage = newStage(this.#server.world)
      Object.assign(this, await agentWithTask(this.stage))
    })
    afterAll(() => this.#server.close())
  }

  readonly made = async (name: string, input: object) => {
    const credential = await this.stage.key('owner')
    return doors[this.#door](this.#server.url)({ op: operationNamed(name), input, credential })
  }

  /** What a refused call is told to do. */
  readonly hintOf = async (name: string, input: object): Promise<string> => {
    const { error } = await this.made(name, input)
    expect(error?.hint).toEqual(expect.any(String))
    return error?.hint ?? ''
  }

  /** The inputs of the calls of one operation that a hint shows. */
  readonly shownIn = (hint: string, name: string): NamedCall['input'][] =>
    callsIn(hint, this.#door).flatMap(({ op, input }) => (op.name === name ? [input] : []))

  /** Those of the same operation that the hint of a refused call shows. */
  readonly shown = async (name: string, input: object): Promise<NamedCall['input'][]> =>
    this.shownIn(await this.hintOf(name, input), name)
}
