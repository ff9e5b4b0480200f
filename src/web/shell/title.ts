import { useEffect } from 'react'
import { useConfig } from '#web/config.ts'

/** `<page> | <provider>`; the default stands in index.html. */
export function useDocumentTitle(page: string): void {
  const provider = useConfig()?.provider
  useEffect(() => {
    if (page && provider) document.title = `${page} | ${provider}`
  }, [page, provider])
}
