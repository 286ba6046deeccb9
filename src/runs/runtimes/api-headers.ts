import { openedTools } from '#src/agents/sealed/keep.ts'
import { noteSettingsGiven, secretsFor } from '#src/agents/secrets/secrets.ts'
import { mustGo } from './must-go.ts'
import { secretsIn } from '#src/agents/secrets/sendings.ts'
import { RunFailure } from '../failure.ts'
import { render, type Variables } from '../template.ts'
import type { Work } from './runtime.ts'

const headersAtMost = 50
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
/** What HTTP lets stand in a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const namesSecret = /\{\{\s*secret\./
/** The host stands in the address as it is, and no placeholder can move it. */
const fixedHost = /^https?:\/\/[^/?#{}\\]+(?:[/?#]|$)/i

/**
 * The headers of an api run: `config.headers` of its task's first enabled tool of type `http`, with
 * `{{name}}` filled in as in a prompt and `{{secret.NAME}}` by the secrets that the task selects.
 * @throws RunFailure naming the header that cannot be sent; never with its value
 */
export async function headersOf(
  { ports, task, run }: Pick<Work, 'ports' | 'task' | 'run'>,
  variables: Variables,
): Promise<Record<string, string>> {
  const { tools, given } = openedTools(task, ports.sealer)
  noteSettingsGiven(task, given)
  const tool = tools.find(({ type, enabled }) => type === 'http' && enabled)
  const named: unknown = tool?.config.headers ?? {}
  if (typeof named !== 'object' || named === null || Array.isArray(named)) {
    throw invalid('config.headers of the tool is not a map of names to texts.')
  }
  const templates = Object.entries(named)
  if (templates.length > headersAtMost) throw invalid(`There are more than ${headersAtMost}.`)
  const hasSecret = templates.some(
    ([, value]) => typeof value === 'string' && namesSecret.test(value),
  )
  if (hasSecret && !fixedHost.test(task.api_url ?? '')) {
    throw new RunFailure(
      'api_url_open',
      'A secret is only sent where the host stands in api_url as it is, and in no placeholder.',
    )
  }
  const secrets = hasSecret ? await secretsFor(ports, task) : {}
  const sent = templates.flatMap(([, template]) => secretsIn(template))
  const known = sent.filter((name) => Object.hasOwn(secrets, name))
  mustGo(task, known, task.api_url ?? '')
  const headers = templates.map(([name, template]: [string, unknown]) => {
    if (!headerName.test(name)) throw invalid(`"${name.slice(0, 100)}" is no name of a header.`)
    if (typeof template !== 'string') throw invalid(`"${name}" is not given as a text.`)
    const value = render(template, run.input, variables, { secrets })
    if (!headerValue.test(value)) throw invalid(`"${name}" holds what no header can.`)
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(headers)
}

function invalid(what: string): RunFailure {
  return new RunFailure('api_header_invalid', `The headers of the call cannot be sent: ${what}`)
}
