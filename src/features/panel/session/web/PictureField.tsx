import { Suspense, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { session } from '#features/panel/session/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { Avatar } from '#web/Avatar.tsx'
import { useSend } from '#web/api/useSend.ts'
import { storeProfile } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'

const PictureCropper = lazyPart(() => import('#features/panel/session/web/PictureCropper.tsx'))

/**
 * Field for the viewer's profile picture: chosen from this computer, cropped to a square, previewed, and
 * saved immediately.
 */
export function PictureField({ name, picture }: { name: string; picture: string | null }) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File>()
  const { send, sending } = useSend(session.uploadPicture, {
    onDone: ({ message, avatar }) => {
      storeProfile({ avatar })
      toast.success(message)
      setChosen(undefined)
    },
  })

  return (
    <div>
      <div className={classes.picture}>
        <Avatar name={name} picture={picture} size={56} />
        <div>
          <Button variant="default" size="xs" onClick={() => input.current?.click()}>
            {picture ? 'Change profile picture' : 'Choose profile picture'}
          </Button>
          <div className={classes.pictureText}>
            PNG, JPG, WebP, GIF, or AVIF, up to 2 MB. You can crop it to a square.
          </div>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Profile picture"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          onChange={(event) => {
            setChosen(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </div>
      {chosen && (
        <Suspense>
          <PictureCropper
            file={chosen}
            saving={sending}
            onCancel={() => setChosen(undefined)}
            onCrop={(file) => void send({ file })}
          />
        </Suspense>
      )}
    </div>
  )
}
