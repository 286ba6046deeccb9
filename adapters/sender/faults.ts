import { OutboundFailure, type OutboundFault } from '#src/ports/sender.ts'

const texts: Record<OutboundFault, string> = {
  address_invalid: 'The address is not a valid http or https address, or a header cannot be sent.',
  address_refused: 'The address leads to a place that this server does not call.',
  unreachable: 'No connection to the address could be made.',
  timeout: 'The other side did not finish its answer in time.',
  too_many_redirects: 'The other side redirected more often than is allowed.',
  too_large: 'The headers of the answer are too large.',
  broken_answer: 'The answer was cut off or could not be read.',
  cancelled: 'The request was cancelled.',
}

/** A failure with the fixed text of its fault; what the other side said is only in its cause. */
export function failure(fault: OutboundFault, cause?: unknown): OutboundFailure {
  return new OutboundFailure(fault, texts[fault], cause === undefined ? {} : { cause })
}

const megabyte = 1024 * 1024

/** The failure of an answer of more bytes than are read of it. */
export function tooLarge(bytesAtMost: number): OutboundFailure {
  const isLarge = bytesAtMost >= megabyte
  const size = isLarge ? `${bytesAtMost / megabyte} MB` : `${bytesAtMost / 1024} kB`
  return new OutboundFailure('too_large', `The answer is larger than ${size}.`)
}

// These happen on an open connection; all other errors before an answer are connection errors.
const duringAnswer = /^(?:UND_ERR_(?:SOCKET|RES|INFO|ABORTED)|HPE_|HTTPParserError$|read$|write$)/

/** The failure that an error of the HTTP client, the resolver or the network stands for. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  const { code, name, syscall } = factsOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return failure('timeout', error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return failure('too_large', error)
  if (code === 'UND_ERR_INVALID_ARG') return failure('address_invalid', error)
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return failure('cancelled', error)
  // The parser gives some of its errors a code and others only a name.
  const isLate = [code, name, syscall].some((fact) => duringAnswer.test(fact))
  return failure(isLate ? 'broken_answer' : 'unreachable', error)
}

function factsOf(error: unknown): { code: string; name: string; syscall: string } {
  if (!(error instanceof Error)) return { code: '', name: '', syscall: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  return { code, name: error.name, syscall }
}
