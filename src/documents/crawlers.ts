/** The page `/robots.txt`: everything published may be read; what is personal must not be indexed. */
export function robots(publicUrl: string, hasCommons: boolean): string {
  const personal = [
    '/agents',
    '/approvals/',
    '/claim/',
    ...(hasCommons ? ['/commons/flag'] : []),
    '/forgot',
    '/home',
    '/join/',
    '/livez',
    '/metrics',
    '/needs-you',
    '/pay/',
    '/readyz',
    '/reset/',
    '/runs',
    '/schedule',
    '/settings',
    '/sign-in',
    '/teams',
    '/unsubscribe/',
    '/verify/',
  ]
  return [
    'User-agent: *',
    ...personal.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The list of pages that do not change. @param paths of pages, each with a leading slash */
export function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${escaped(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
