import { useEffect } from 'react'
import { useConfig } from '#web/config.ts'

/** Sets the document title to `<page> | <provider>`; the default is in index.html. */
export function useDocumentTitle(page: string): void {
  const provider = useConfig()?.provider
  useEffect(() => {
    if (page && provider) document.title = `${page} | ${provider}`
  }, [page, provider])
}
