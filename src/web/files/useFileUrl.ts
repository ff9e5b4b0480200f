import { useEffect, useState } from 'react'

/** Returns a URL for showing a file from this computer; undefined without a file, and until it has been read. */
export function useFileUrl(file: File | undefined): string | undefined {
  const [read, setRead] = useState<{ file: File; url: string }>()
  useEffect(() => {
    if (!file) return
    const reader = new FileReader()
    reader.addEventListener('load', () => setRead({ file, url: reader.result as string }))
    reader.readAsDataURL(file)
    return () => reader.abort()
  }, [file])
  return read?.file === file ? read?.url : undefined
}
