# Nothing is compiled natively and no install script is needed: every native module brings its binaries.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts \
  && npm run build \
  && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# MALLOC_*: what was freed goes back to the system instead of staying with the thread that used it (docs/scaling.md).
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    HOST=0.0.0.0 \
    PORT=8000 \
    DATABASE_URL=sqlite:/data/guarded-runs.db
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/server ./server
COPY --from=build /app/dashboard/dist ./dashboard/dist
RUN mkdir --mode=700 /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/dist/main.js"]
CMD ["serve"]
