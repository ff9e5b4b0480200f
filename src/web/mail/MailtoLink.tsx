import { HostText } from '#web/parts/HostText.tsx'

/** An email address that, where there is little room, is broken before the @. */
export function MailtoLink({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <a href={`mailto:${address}`}>
      {address.slice(0, at)}
      <wbr />
      <HostText text={address.slice(at)} />
    </a>
  )
}
