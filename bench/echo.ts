import { createServer } from 'node:http'
import { Server } from 'socket.io'

/*
 * Lower bound for a chat: a Socket.IO server that emits to all clients what one sends, and does nothing else.
 */

const http = createServer()
const server = new Server(http, { serveClient: false, transports: ['websocket'] })
server.on('connection', (socket) => {
  void socket.join('room')
  socket.on('send', (message: unknown) => server.to('room').emit('message.sent', message))
})
http.listen(0, '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${(http.address() as { port: number }).port}`),
)
