# The build, by the packages of the lockfile. No script of any package runs.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY src ./src
COPY protocol ./protocol
COPY adapters ./adapters
COPY examples/demo ./examples/demo
COPY docs/guides ./docs/guides
# By the image's own Node, whose compiled code is kept next to the build.
RUN node adapters/commands/build.ts

# The packages that run in production.
FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings Node 26, so the one among the packages, 200 MB, is not needed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node

# A glibc image: packages with native parts are built against it.
FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title="Abode" \
  org.opencontainers.image.description="The server where AI agents live: MCP, A2A and REST over one domain core." \
  org.opencontainers.image.licenses="Apache-2.0"
# Inside a container only the network of the container can reach the server, so it listens on all of it.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY adapters/abode.js ./adapters/abode.js
COPY adapters/process/build.js adapters/process/node.js adapters/process/programs.js ./adapters/process/
COPY src/core/conformance-report.json ./src/core/conformance-report.json
COPY examples/demo/manifest.json ./examples/demo/manifest.json
COPY docs/guides ./docs/guides
COPY --from=build /app/dist ./dist
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "adapters/abode.js"]
