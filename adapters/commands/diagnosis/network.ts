import { connect } from 'node:net'
import type { Config } from '#adapters/config/read.ts'
import { openaiBaseUrl } from '#adapters/model/models.ts'
import { ill, well, wordsOf, type Line } from './line.ts'

const withinMs = 5000
const clockMayDifferSeconds = 5
const anthropicOrigin = 'https://api.anthropic.com'

/** Whether what the settings name can be reached from here; what they do not name is not asked for. */
export async function reached(config: Config): Promise<Line[]> {
  const { publicUrl, mail, openai, anthropic } = config
  const lines = await Promise.all([
    publicUrl === undefined ? atNoAddress(config) : atPublicUrl(publicUrl),
    mail && atServer('SMTP', mail.server.host, mail.server.port),
    openai.apiKey === undefined && openai.baseUrl === openaiBaseUrl
      ? undefined
      : atModel('OPENAI_BASE_URL', openai.baseUrl),
    anthropic.apiKey === undefined ? undefined : atModel('ANTHROPIC_API_KEY', anthropicOrigin),
  ])
  return lines.flat().filter((line) => line !== undefined)
}

function atNoAddress({ host }: Config): Line {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (isLocal) return well('PUBLIC_URL', 'is not set, and only this machine reaches the server')
  const advice =
    'Set PUBLIC_URL to the address by which others reach it: links and sign-in need it.'
  return ill('PUBLIC_URL', 'warn', 'is not set', advice)
}

async function atPublicUrl(publicUrl: string): Promise<Line[]> {
  try {
    const begun = Date.now()
    const response = await fetch(`${publicUrl}/livez`, { signal: AbortSignal.timeout(withinMs) })
    await response.body?.cancel()
    const told = Date.parse(response.headers.get('date') ?? '')
    const isServer = response.status === 200
    const advice = 'Start the server, or mend the proxy before it.'
    const said = `${publicUrl} answers ${response.status}`
    const line = isServer ? well('PUBLIC_URL', said) : ill('PUBLIC_URL', 'warn', said, advice)
    return Number.isNaN(told) ? [line] : [line, clockLine('its Date', told, begun, Date.now())]
  } catch (cause) {
    const advice =
      'Start the server, and look at its name and the proxy; from here it may be reached otherwise than from outside.'
    return [ill('PUBLIC_URL', 'warn', `${publicUrl} does not answer: ${wordsOf(cause)}`, advice)]
  }
}

/** Compares a clock with that of this machine. @param told, begun, ended milliseconds */
export function clockLine(whose: string, told: number, begun: number, ended: number): Line {
  // A Date has whole seconds, and was read between the two.
  const seconds = Math.max(0, begun - told - 1000, told - ended) / 1000
  const says = `differs from ${whose} by ${seconds < 1 ? 'less than a second' : `${Math.round(seconds)} seconds`}`
  if (seconds <= clockMayDifferSeconds) return well('clock', says)
  return ill('clock', 'warn', says, 'Let both machines set their clocks by NTP.')
}

async function atModel(of: string, baseUrl: string): Promise<Line> {
  const { hostname, port, protocol } = new URL(baseUrl)
  return atServer(of, hostname, Number(port) || (protocol === 'http:' ? 80 : 443))
}

/** Whether a server accepts a connection. */
function atServer(of: string, host: string, port: number): Promise<Line> {
  const { promise, resolve } = Promise.withResolvers<Line>()
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const socket = connect({ host: bare, port })
  const end = (line: Line): void => {
    socket.destroy()
    resolve(line)
  }
  const failed = (why: string): void =>
    end(
      ill(
        of,
        'fail',
        `${host}:${port} is not reached: ${why}`,
        'Look at the setting, the name and the firewall.',
      ),
    )
  socket.setTimeout(withinMs, () => failed('it does not answer'))
  socket.once('connect', () => end(well(of, `${host}:${port} accepts connections`)))
  socket.once('error', (cause) => failed(wordsOf(cause)))
  return promise
}
