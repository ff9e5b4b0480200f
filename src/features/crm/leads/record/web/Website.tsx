import type { ReactNode } from 'react'
import { HostText } from '#web/parts/HostText.tsx'

/** A website. Only http and https URLs become links; the server doesn't store any others. */
export function Website({ address }: { address: string }): ReactNode {
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      <HostText text={address.replace(/^https?:\/\//i, '').replace(/\/$/, '')} />
    </a>
  )
}
