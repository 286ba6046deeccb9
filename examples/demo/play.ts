import { parseArgs } from 'node:util'
import { arrive, provision } from './arrive.ts'
import { startGauges } from './gauges.ts'
import { readHandoff, readMessage } from './hand-on.ts'
import { leave, sendBadManifest, stay } from './leave.ts'
import { approve, receiveWebhook, simulateWeek } from './live.ts'
import { reasonOf, Screen } from './screen.ts'
import { startOwnServer, type OwnServer } from './server.ts'
import { readManifest, type Stage } from './stage.ts'
import { runApi, runPrompt, runTemplate } from './work.ts'

/** Where the gauges listen for a server that was started before them, so that it can be told. */
const gaugesPort = 8099

/** Every step against one server. @param keeps the team stays there @throws StepFailed */
async function play(
  screen: Screen,
  base: string,
  gauges: Stage['gauges'],
  keeps: boolean,
): Promise<void> {
  const stage = await arrive(screen, base, { gauges, manifest: await readManifest(gauges) })
  try {
    await provision(stage)
    await receiveWebhook(stage)
    await simulateWeek(stage)
    await runTemplate(stage)
    const readings = await runApi(stage)
    const forecast = await runPrompt(stage, readings)
    const edition = await readHandoff(stage, forecast)
    await readMessage(stage, edition)
    await approve(stage)
    await sendBadManifest(stage)
    await (keeps ? stay(stage) : leave(stage))
  } catch (cause) {
    // What the failed step left is of no use to the server's owner; it may be gone, or never been.
    await stage.rest
      .call('DELETE', `/api/agent-apps/${stage.manifest.app_id}`)
      .catch(() => undefined)
    throw cause
  } finally {
    await stage.mcp.close()
  }
}

/** What the command line and the environment ask for. */
interface Asked {
  /** The address of the server to play against; undefined for one of the demo's own. */
  address: string | undefined
  /** The team stays when the demo is over, and with it a server of the demo's own. */
  keeps: boolean
}

const usage = `abode demo [--keep] [ADDRESS]

Plays a story through all three doors: a key, a team of agents, their tasks, an approval, and the end of
the team. Without an ADDRESS (http://…) it plays on a server of its own, in a folder that is removed at the
end.

  --keep  leaves the team there, and shows the link by which a person takes it over; a server of its own
          then stays until Ctrl+C

ABODE_INVITATION brings a code for a server that gives keys by invitation.
`
/** \`EX_USAGE\` of \`sysexits.h\`. */
const misused = 64

class Misused extends Error {}

/** @throws Misused with what is wrong with what was given */
function asked(): Asked | 'help' {
  const { values, positionals } = wordsGiven()
  if (values.help) return 'help'
  if (positionals.length > 1) throw new Misused('One address at a time.')
  const given = positionals[0] ?? process.env.ABODE_DEMO_URL
  if (given === undefined) return { address: undefined, keeps: values.keep }
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol)) {
    return { address: url.href.replace(/\/+$/, ''), keeps: values.keep }
  }
  throw new Misused(`"${given}" is not the address of a server, such as http://127.0.0.1:8080`)
}

function wordsGiven() {
  try {
    return parseArgs({
      options: {
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const [, unknown] = /^Unknown option '(-[^'=]*)/.exec(said) ?? []
    throw new Misused(unknown === undefined ? said : `There is no option "${unknown}".`, { cause })
  }
}

/** The process was told to end: rejects once it was, and aborts the signal. */
function interruption(): { signal: AbortSignal; happens: Promise<never> } {
  const interrupted = new AbortController()
  const happens = new Promise<never>((_, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        interrupted.abort()
        reject(new Error('The demo was interrupted.'))
      })
    }
  })
  // It may reject when nothing awaits it.
  happens.catch(() => undefined)
  return { signal: interrupted.signal, happens }
}

async function main(): Promise<void> {
  const wanted = asked()
  if (wanted === 'help') {
    process.stdout.write(usage)
    return
  }
  const screen = new Screen()
  const { address: given, keeps } = wanted
  const { signal, happens } = interruption()
  const gauges = await startGauges(given === undefined ? 0 : gaugesPort)
  let own: OwnServer | undefined
  try {
    own = given === undefined ? await startOwnServer(gauges.origin, signal) : undefined
    const base = given ?? own?.url ?? ''
    screen.line('Abode: a team of agents, from a key to a bulletin')
    screen.line(`    server  ${base}${own ? `, the demo’s own, on ${own.store}` : ''}`)
    screen.line(`    gauges  ${gauges.origin}, a small HTTP service of the demo’s own`)
    await Promise.race([play(screen, base, gauges, keeps), happens])
    screen.line()
    if (own && keeps) {
      screen.line(`All ${screen.count} steps went well. The server stays until you press Ctrl+C.`)
      return await happens.catch(() => undefined)
    }
  } catch (cause) {
    for (const warning of own?.warnings ?? []) process.stderr.write(`${warning}\n`)
    throw cause
  } finally {
    gauges.close()
    await own?.stop()
  }
  screen.line(`All ${screen.count} steps went well.`)
}

try {
  await main()
} catch (cause) {
  const isMisused = cause instanceof Misused
  process.stderr.write(isMisused ? `${cause.message}\n\n${usage}` : `\n${reasonOf(cause)}\n`)
  process.exitCode = isMisused ? misused : 1
}
