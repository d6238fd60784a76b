FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY src src
COPY web web
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production MILLRACE_HOST=0.0.0.0 MILLRACE_DATA=/data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY bin bin
COPY drizzle drizzle
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000 9464
# Short-lived objects die before they are copied: a seventh less CPU for a worker that is busy.
ENTRYPOINT ["node", "--max-semi-space-size=32", "bin/millrace.js"]
CMD ["up"]
