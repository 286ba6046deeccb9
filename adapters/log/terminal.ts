import { styleText } from 'node:util'

/** The target of a log. */
export interface LogStream {
  write(text: string): unknown
  /** A terminal gets readable lines instead of JSON. */
  isTTY?: boolean
  /** A terminal that supports colours, whose user wants them. */
  hasColours?: boolean
}

const styles = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const

/** Turns each JSON line into a readable one; the stack of an error follows, indented. */
export function readable(target: LogStream): LogStream {
  return {
    write(line) {
      // The log itself wrote the line, with these members.
      const { level, time, message, ...fields } = JSON.parse(line) as {
        level: keyof typeof styles
        time: string
        message: string
      }
      const name = level.padEnd(5)
      const shownName = target.hasColours
        ? styleText(styles[level], name, { validateStream: false })
        : name
      const said = [time.slice(11, 23), shownName, printable(message), ...pairs(fields)]
      target.write([said.join(' '), ...stacks(fields)].join('\n') + '\n')
    },
  }
}

function pairs(fields: object): string[] {
  return Object.entries(fields).map(([name, value]: [string, unknown]) => {
    const shown = isError(value) ? `${value.type}: ${value.message}` : value
    const text =
      typeof shown === 'string' && /^[^\s"=]+$/.test(shown) ? shown : JSON.stringify(shown)
    return `${printable(name)}=${printable(text)}`
  })
}

function stacks(fields: object): string[] {
  return Object.values(fields).flatMap((value: unknown) => (isError(value) ? stackOf(value) : []))
}

function stackOf({ stack = '', cause }: ShownError): string[] {
  const lines = stack.split('\n').map((line) => `    ${printable(line.trim())}`)
  return isError(cause) ? [...lines, '    caused by', ...stackOf(cause)] : lines
}

interface ShownError {
  type: string
  message: string
  stack?: string
  cause?: unknown
}

function isError(value: unknown): value is ShownError {
  return typeof value === 'object' && value !== null && 'type' in value && 'stack' in value
}

/** Text of third parties must not move the cursor or set colours. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
