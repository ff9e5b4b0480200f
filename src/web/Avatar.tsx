import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { profilePicture } from '#shared/profile-picture.contract.ts'
import classes from '#web/Avatar.module.css'
import { requestFile } from '#web/api/client.ts'

interface Props {
  name: string
  /** Name of the picture file; null if there is none. */
  picture: string | null
  size?: number
}

/** A person's profile picture, or their initials. It is decorative and has no accessible text. */
export function Avatar({ name, picture, size = 26 }: Props) {
  // The request for the picture needs the session token, so the picture is fetched and shown as a blob.
  const { data: blob } = useQuery({
    queryKey: [profilePicture.path, picture],
    queryFn: () => requestFile(profilePicture, { params: { name: picture ?? '' } }),
    enabled: picture !== null,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Initials name={name} size={size}>
      {picture && blob && (
        <img key={picture} alt="" className={classes.picture} ref={(image) => show(image, blob)} />
      )}
    </Initials>
  )
}

/** A person's initials, below their picture if there is one. They are decorative. */
export const Initials = ({ name, size, children }: { name: string; size: number; children?: ReactNode }) => (
  <span
    className={classes.avatar}
    style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }}
    data-initials={initialsOf(name)}
    aria-hidden
  >
    {children}
  </span>
)

/** Shows a blob in an image element; returns a cleanup function that revokes its URL. */
function show(image: HTMLImageElement | null, blob: Blob): (() => void) | undefined {
  if (!image) return undefined
  const address = URL.createObjectURL(blob)
  image.src = address
  return () => URL.revokeObjectURL(address)
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word[0])
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()
