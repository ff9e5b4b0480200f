import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { session } from '#features/session/contract.ts'
import classes from '#features/session/web/StaffAvatar.module.css'
import { requestFile } from '#web/api/client.ts'

interface Props {
  name: string
  /** Name of the picture, or null. */
  picture: string | null
  size?: number
}

/** A person's picture, or his initials, beside or instead of his name: it has no text of its own. The picture needs the session's token, so it is fetched and shown as a blob. */
export function StaffAvatar({ name, picture, size = 26 }: Props) {
  const blob = useQuery({
    queryKey: [session.picture.path, picture],
    queryFn: () => requestFile(session.picture, { params: { name: picture ?? '' } }),
    enabled: picture !== null,
    staleTime: Infinity,
    retry: false,
  })
  const address = useAddressOf(blob.data)
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }} data-initials={initialsOf(name)} aria-hidden>
      {address && <img src={address} alt="" className={classes.picture} />}
    </span>
  )
}

/** An address for a blob, given back when the blob is no longer shown. */
export function useAddressOf(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(undefined)
    }
  }, [blob])
  return address
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0])
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()
