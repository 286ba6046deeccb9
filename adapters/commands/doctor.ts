import { ConfigFaults, readConfig, type Config } from '#adapters/config/read.ts'
import { Misused, parsed } from './arguments.ts'
import { calledAs } from './called.ts'
import { complained, run, said } from './command.ts'
import { ill, well, type Line } from './diagnosis/line.ts'
import { diskLine, nodeLine, sandboxLine, storeLines } from './diagnosis/machine.ts'
import { reached } from './diagnosis/network.ts'
import { exits, type Exit } from './exits.ts'

const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const usage = `${calledAs('doctor')}

  --json  prints one line of JSON

Looks at the settings, the store, the clock, the disk and what the settings name, and says in a line each how it is (ok,
warn, fail) and what to do. It changes nothing. It ends with 0 where nothing fails, with 1 where something does, and with
78 where the settings have faults.
`

await run(doctor)

/** The operator's command, from its arguments to its exit code. */
async function doctor(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const { values, positionals } = parsed(words, options)
    if (values.help) return said(usage)
    if (positionals.length > 0) throw new Misused('doctor takes no words.')
    const { lines, exit } = await diagnosed(env)
    if (values.json) said(`${JSON.stringify({ ok: exit === exits.done, items: lines })}\n`)
    else said(lines.map(textOf).join(''))
    return exit
  } catch (cause) {
    if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
    throw cause
  }
}

async function diagnosed(env: NodeJS.ProcessEnv): Promise<{ lines: Line[]; exit: Exit }> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (cause) {
    if (!(cause instanceof ConfigFaults)) throw cause
    const advice = 'Mend the setting; the README lists all of them.'
    const faults = cause.faults.map((fault) => ill('settings', 'fail', fault, advice))
    return { lines: [nodeLine(), ...faults], exit: exits.configuration }
  }
  const lines = [
    nodeLine(),
    well('settings', 'all of them can be read'),
    ...(await storeLines(config, env)),
    await diskLine(config),
    ...(await reached(config)),
    await sandboxLine(config),
  ]
  const isIll = lines.some(({ state }) => state === 'fail')
  return { lines, exit: isIll ? exits.failed : exits.done }
}

function textOf({ of, state, says, advice }: Line): string {
  return `${state.padEnd(4)}  ${of}: ${says}\n${advice === undefined ? '' : `      ${advice}\n`}`
}
