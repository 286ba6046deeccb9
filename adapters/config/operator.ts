import { always, maybe } from './kinds.ts'
import { host } from './network.ts'
import { headerText, onOrOff, wholeNumber } from './values.ts'

/** The settings by which the operator watches a server, and stops it. */
export const operating = {
  ABODE_METRICS: always(onOrOff, {
    default: 'off',
    unit: 'off, on',
    meaning: 'Serves `/metrics`, to this machine only unless there is a token.',
  }),
  ABODE_METRICS_TOKEN: maybe(headerText, {
    default: 'none',
    unit: 'text',
    meaning: 'The bearer token that opens `/metrics` to other machines.',
    isSecret: true,
  }),
  ABODE_LOG_REQUESTS: always(onOrOff, {
    default: 'off',
    unit: 'off, on',
    meaning: 'Writes a line for each call of an operation into the log, at `info`.',
  }),
  ABODE_DRAIN_SECONDS: always(wholeNumber(0, 3600), {
    default: '0',
    unit: 'seconds',
    meaning: 'How long after `SIGTERM` requests are still taken, while `/readyz` says no.',
  }),
  ABODE_GRACE_SECONDS: always(wholeNumber(0, 3600), {
    default: '5',
    unit: 'seconds',
    meaning:
      'How long after that runs under way may go on to their end; what is left is handed back.',
  }),
  ABODE_ADMIN_PORT: maybe(wholeNumber(1, 65_535), {
    default: 'none',
    unit: 'port',
    meaning: 'Where health checks and `/metrics` are answered too, by a process of any role.',
  }),
  ABODE_ADMIN_HOST: always(host, {
    default: '127.0.0.1',
    unit: 'address',
    meaning:
      'The address or name of that port; for another than this machine it needs the next one.',
  }),
  ABODE_ADMIN_TOKEN: maybe(headerText, {
    default: 'none',
    unit: 'text',
    meaning: 'The bearer token that opens `/metrics` of that port.',
    isSecret: true,
  }),
}
