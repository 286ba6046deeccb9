import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import type { CommandLimits } from '#src/ports/command.ts'

/** The file descriptors that pass bubblewrap what no other process may see. */
export const descriptors = { arguments: 3, script: 4, status: 5, filter: 6 } as const

/** Bound read-only if present; on most systems the last ones are links into /usr. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
// Needed to find and start programs. Nothing else of /etc is bound, because settings and secrets lie
// there.
const settings = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime']

const scriptPath = '/command'
const folder = '/work'
/** Extra seconds beyond a command's time limit, which this server enforces itself. */
const graceSeconds = 10

/** What is the same for every command of a process. */
export interface Surroundings {
  limits: CommandLimits
  /** Folders that must stay invisible although they lie in a bound folder. */
  hidden: readonly string[]
  hasFilter: boolean
}

/**
 * The arguments of bubblewrap: every namespace of its own, no capability, the system read-only, one
 * writable folder in memory.
 */
export function sandboxArguments(
  { limits, hidden, hasFilter }: Surroundings,
  env: Readonly<Record<string, string>>,
): string[] {
  const own = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' }
  const { script, status, filter } = descriptors
  return [
    ...words('--unshare-all --unshare-user --disable-userns --new-session --die-with-parent'),
    ...words('--uid 1000 --gid 1000 --hostname abode --clearenv'),
    ...Object.entries({ ...own, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...system.flatMap(bound),
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...hidden.filter(isBound).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...words(`--proc /proc --dev /dev --size ${limits.folder_bytes} --tmpfs ${folder}`),
    ...words(`--symlink ${folder.slice(1)} /tmp --ro-bind-data ${script} ${scriptPath}`),
    // The devices are mounts of their own and stay writable.
    ...words(`--remount-ro /dev --remount-ro / --chdir ${folder} --json-status-fd ${status}`),
    ...(hasFilter ? words(`--seccomp ${filter}`) : []),
  ]
}

/** The command inside the sandbox: the script, run by a shell under the kernel's limits. */
export function limitedShell(limits: CommandLimits, seconds: number): string[] {
  const { processes, memory_bytes, file_bytes } = limits
  return [
    ...words(`/usr/bin/prlimit --nproc=${processes} --data=${memory_bytes} --fsize=${file_bytes}`),
    ...words(`--cpu=${seconds} --nofile=256 --core=0 --memlock=0 --msgqueue=0 --sigpending=256`),
    // In case neither this server nor bubblewrap is left to end it.
    ...words(`/usr/bin/timeout --signal=KILL ${seconds + graceSeconds} /bin/sh ${scriptPath}`),
  ]
}

function words(text: string): string[] {
  return text.split(' ')
}

function bound(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}

/** Whether a folder would be visible, being inside a bound one. */
function isBound(path: string): boolean {
  return existsSync(path) && system.some((one) => realpathSync(path).startsWith(one + sep))
}
